//! The loop that runs the network in real time.
