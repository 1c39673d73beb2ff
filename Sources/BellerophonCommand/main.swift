print("bellerophon")
