//! The sockets of the kernel under test.
