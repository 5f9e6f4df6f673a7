# Shortcuts; each is one plain command.

# Everything a change must pass.
ci:
    .ci/run

# All tests.
test:
    cargo test --workspace

# Compares engines on one subject, and the cost of beget by size of the scope; writes peers.md and growth.md to benchmarks/results.
bench:
    cargo build --release -p beget-cli -p beget-benchmarks
    target/release/measure benchmarks/plans/peers.ron -o benchmarks/results/peers.md
    target/release/growth
    python3 benchmarks/results.py made growth.md peers.md

# Single parts of beget, by criterion: the engine by subject and way of copying, the repOK search beside its twin.
bench-parts:
    cargo bench -p beget-benchmarks

# Lists the result tables: how, when and where each was made, and those that are stale or that no page cites.
results:
    python3 benchmarks/results.py

# Lists what the check of prose counts: openings and words of comments, long sentences and lines of documents.
prose:
    cargo test -p beget-cli --test it -- prose:: --nocapture --test-threads=1

# How much there is to know of the workspace: crates, features, items, types, import circles.
house:
    python3 benchmarks/house.py

# Published defects of other crates: found in the old versions that `defects` pins, and not in the fixed ones. Downloads these.
defects:
    cargo test --manifest-path defects/Cargo.toml
    cargo test --manifest-path defects/fixed/Cargo.toml
    cargo run --manifest-path defects/Cargo.toml --bin table
    cargo run --manifest-path defects/Cargo.toml --bin shown
    cargo run --manifest-path defects/Cargo.toml --bin memory
    cargo test --manifest-path defects/deep/Cargo.toml
    cargo test --manifest-path defects/deep/fixed/Cargo.toml
    cargo run --manifest-path defects/deep/Cargo.toml --bin table
    python3 benchmarks/results.py made deep_defects.md defects.md memory_defects.md shown_defects.md

# Runs the coverage experiment on four containers, by chance with feedback and without; writes benchmarks/results/containers.md.
containers:
    cargo build --release -p beget-benchmarks --bin containers
    target/release/containers
    python3 benchmarks/results.py made containers.md

# What builders are worth to random runs, by suite; writes benchmarks/results/builders_random.{md,csv}. Goes on where it was stopped.
builders-random *arguments:
    cargo build --release -p beget-benchmarks --bin builders_random
    target/release/builders_random {{arguments}}
    python3 benchmarks/results.py made builders_random.md

# Counts the instructions of six runs, beside those in benchmarks/instructions.csv; `--write` writes them there. Needs valgrind.
instructions *arguments:
    cargo build --release -p beget-cli
    python3 benchmarks/instructions.py target/release/beget {{arguments}}

# Says which parts of beget the instructions of a call belong to; writes benchmarks/results/profile.md. Needs valgrind and binutils.
profile:
    cargo build --release -p beget-cli --bin beget
    python3 benchmarks/profile.py target/release/beget --write
    python3 benchmarks/results.py made profile.md

# What a crate pays for beget as a dev-dependency, beside proptest: crates, build times, size. COMMITs are measured too. On an idle machine.
cost *commits:
    python3 benchmarks/cost_of_having.py {{commits}}
    python3 benchmarks/results.py made cost.md

# What sharing a run among processes costs, over loopback; writes benchmarks/results/cluster.md.
cluster *scopes:
    cargo build --release -p beget-cli --bin beget
    python3 benchmarks/cluster.py target/release/beget {{scopes}}
    python3 benchmarks/results.py made cluster.md

# Measures beget on Table 1 of the BEAPI paper; flags as `--quick` are passed on.
table1 *flags:
    cargo build --release -p beget-cli -p beget-benchmarks
    target/release/table1 --max-memory 20000 {{flags}}
    python3 benchmarks/results.py made table1.md

# How often the error bars of `beget estimate` hold, on the rows of Table 1 and elsewhere; `--run` asks beget again about other suites
# and about rows that were not run.
estimate *arguments:
    cargo build --release -p beget-cli -p beget-benchmarks
    target/release/estimate {{arguments}}
    python3 benchmarks/results.py made estimate.md

# Runs on disk beside runs in memory, and runs that are killed at random moments; writes benchmarks/results/disk.md and kills.md.
disk:
    cargo build --release -p beget-cli
    python3 benchmarks/disk.py target/release/beget --write
    python3 benchmarks/kills.py target/release/beget
    python3 benchmarks/results.py made disk.md kills.md

# The explorer and a page with a million structures; writes benchmarks/results/explorer.md.
explorer:
    cargo build --release -p beget-cli --bin beget
    npm install --prefix crates/beget-cli/tests/browser --no-package-lock --no-audit --no-fund --silent
    rm -rf target/million
    target/release/beget generate scopes/roops/ncl.ron -k 8 --max-structures 1000000 --full -o target/million || test $? = 3
    node crates/beget-cli/tests/browser/million.mjs target/million target/release/beget
    rm -r target/million
    python3 benchmarks/results.py made explorer.md

# Sequences and calls a second of random runs, beside `proptest-state-machine` and a loop that learns nothing; writes benchmarks/results/random_speed.md.
random-speed:
    cargo build --release -p beget-benchmarks --bin random_speed -p beget-cli --bin beget
    target/release/random_speed > benchmarks/results/random_speed.md
    python3 benchmarks/results.py made random_speed.md

# What each option of random runs is worth, with it and without by ten seeds; writes benchmarks/results/random_options.md.
random-options:
    cargo build --release -p beget-benchmarks --bin random_options
    target/release/random_options
    python3 benchmarks/results.py made random_options.md

# What chromosomes that `evolve` finds are worth: searches, equal weights, swarm; writes benchmarks/results/nighthawk.md. Three minutes of CPU.
nighthawk *arguments:
    cargo build --release -p beget-benchmarks --bin nighthawk
    target/release/nighthawk {{arguments}}
    python3 benchmarks/results.py made nighthawk.md

# Puts a bug into each type of the cookbook, and pastes the test that is printed for it; writes benchmarks/results/cookbook.md.
cookbook-bugs:
    python3 benchmarks/cookbook_bugs.py --write
    python3 benchmarks/results.py made cookbook.md

# The builders of every case study, then generation without them and without state matching: hours. Goes on where it was stopped.
table2:
    cargo build --release -p beget-benchmarks --bin table2
    target/release/table2 builders
    target/release/table2 ablation
    python3 benchmarks/results.py made builders.md table2.md

# The same at small scopes, to see that it works.
table2-quick:
    mkdir -p target/table2
    cargo build --release -p beget-benchmarks --bin table2
    target/release/table2 builders --quick --output target/table2/builders
    target/release/table2 ablation --quick --output target/table2/table2

# Counts candidates on every row of Korat's published counts; writes benchmarks/results/korat.{md,csv}. Goes on where it was stopped.
korat *arguments:
    cargo build --release -p beget-cli -p beget-benchmarks
    target/release/korat {{arguments}}
    python3 benchmarks/results.py made korat.md

# Reads a million mutated scope files, builders files and command lines under limits of time and memory.
fuzz *arguments:
    cargo run --profile fuzz -p beget-fuzz -- {{arguments}}

# Compares random suites with an independent enumeration, from a seed on; then a thousand subjects with state outside their values.
conformance seed="1000" suites="400":
    BEGET_CONFORMANCE_SEED={{seed}} BEGET_CONFORMANCE_SUITES={{suites}} cargo test -p beget-conformance --test it --test in_region random -- --nocapture
    BEGET_CONFORMANCE_SUBJECTS=1000 cargo test -p beget-conformance --test outside -- --nocapture

# Mutants of the crates in which a wrong result can begin, by cargo-mutants: a part of them, e.g. `just mutants 3/32 -p beget-engine`.
mutants shard="0/32" *flags:
    cargo mutants --shard {{shard}} --sharding round-robin {{flags}}

# All mutants of some crates in one build, by a switch: `just mutants-all build -p beget-engine`, then `run`, then `report`.
# Needs cargo-mutants and `pip install -r conformance/schemata/requirements.txt`.
mutants-all *arguments:
    python3 conformance/schemata {{arguments}}

# Region images under Valgrind's memcheck, which must be installed; nothing may be reported but what is suppressed.
valgrind:
    cargo build -p beget-cli --bin beget
    for scope in roops/ncl kiasan/treemap real/btreemap korat/fibheap ours/skewheap; do \
        valgrind --quiet --error-exitcode=9 --suppressions=conformance/region.supp \
            target/debug/beget generate scopes/$scope.ron -k 2 --ways region --threads 2 || exit 1; \
    done

# Calls the functions of 79 types of the standard library, which need no file, network or other thread; writes benchmarks/results/std.{md,csv}.
std *types:
    cargo build -p cargo-beget --bins --examples
    python3 benchmarks/std_census.py run target/debug/cargo-beget {{types}}
    python3 benchmarks/std_census.py table
    python3 benchmarks/results.py made std.md

# Writes a crate with suites of the standard library's types, and their scopes, to target/std.
std-suites:
    cargo build -p cargo-beget --bins --examples
    python3 benchmarks/std_census.py suites target/debug/cargo-beget

# Writes and checks harnesses for twelve crates of the registry; writes benchmarks/results/discovery.md. Names of crates are passed on.
discover *names:
    cargo build -p cargo-beget
    python3 benchmarks/discovery.py target/debug/cargo-beget {{names}}
    python3 benchmarks/results.py made discovery.md

# Tries to find the published defects of `defects/` by `cargo beget init` alone; writes benchmarks/results/init_defects.md. Names of
# crates are passed on. Downloads these.
init-defects *names:
    cargo build -p cargo-beget
    python3 benchmarks/init_defects.py target/debug/cargo-beget {{names}}
    python3 benchmarks/results.py made init_defects.md

# How much of collection types of published crates chromosomes cover, by LLVM's regions; writes benchmarks/results/regions.md.
# Needs llvm-cov and llvm-profdata of rustc's LLVM; LLVM_SUFFIX is put behind their names, e.g. `-22`.
regions *types:
    cargo build -p cargo-beget
    python3 benchmarks/region_coverage.py run target/debug/cargo-beget {{types}}
    python3 benchmarks/region_coverage.py table
    python3 benchmarks/results.py made regions.md

# Formats all code.
fmt:
    cargo fmt --all

# Follows the tutorials of the book in an empty directory.
tutorials:
    cargo build -p cargo-beget
    python3 docs/try_tutorials.py target/debug

# The book; needs mdbook.
book:
    mdbook build docs
