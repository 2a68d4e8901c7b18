//! Tests on this machine's kernel. Where it permits no namespaces they are skipped, and say why.

#[cfg(target_os = "linux")]
mod lab;
mod live;

use libtest_mimic::Arguments;

fn main() {
    #[cfg(target_os = "linux")]
    if lab::is_child() {
        return;
    }
    if live::is_child() {
        return;
    }
    let mut trials = live::trials();
    #[cfg(target_os = "linux")]
    trials.extend(lab::trials());
    let arguments = Arguments {
        // Two runs at once would disturb each other, and the kernel gives a namespace's number to
        // another as soon as it is gone: numbers are how leftovers are found.
        test_threads: Some(1),
        ..Arguments::from_args()
    };
    libtest_mimic::run(&arguments, trials).exit();
}
