@main
struct FaultProbe {
    static func main() {}
}
