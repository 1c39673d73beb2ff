"""Measures bellerophon-server and its clients on this machine; see Benchmarks/README.md."""
