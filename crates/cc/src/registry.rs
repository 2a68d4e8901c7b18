//! From a name to a controller: `reno`, `cos+reno`, `cubic`, and the list a user sees.
