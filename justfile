# Shortcuts; each is one plain command.

# Everything a change must pass.
ci:
    .ci/run

# All tests.
test:
    cargo test --workspace

# Formats all code.
fmt:
    cargo fmt --all

# The book; needs mdbook.
book:
    mdbook build docs
