# Homebrew's formula for the program bellerophon. `make dist` writes it with the address and the digest of the sources.
class Bellerophon < Formula
  desc "Kill switch and forced update for terminal programs"
  homepage "@HOMEPAGE@"
  url "@URL@"
  sha256 "@SHA256@"
  license "MIT"

  depends_on xcode: ["26.0", :build]
  depends_on macos: :sequoia

  uses_from_macos "swift" => :build, since: :tahoe # Swift 6.2
  uses_from_macos "curl"
  uses_from_macos "ncurses"

  on_linux do
    depends_on "openssl@3"
  end

  def install
    arguments = ["--disable-sandbox", "--configuration", "release", "--disable-local-rpath"]
    arguments << "--static-swift-stdlib" if OS.linux?
    system "swift", "build", *arguments, "--product", "bellerophon"
    bin.install ".build/release/bellerophon"
    man1.install "docs/bellerophon.1"
    doc.install "config.example.json", "docs/guard.md", "docs/program.md"
    generate_completions_from_executable(bin/"bellerophon", "--generate-completion-script")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/bellerophon --version")
    (testpath/"status.json").write <<~JSON
      {"apiInactive": true, "forceUpdate": false, "retryInterval": 60, "userMessage": "Back at noon."}
    JSON
    assert_match "Back at noon.", shell_output("#{bin}/bellerophon render --status status.json --size 80x24")
  end
end
