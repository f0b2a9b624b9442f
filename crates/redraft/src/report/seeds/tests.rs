//! Whole runs in the shapes of the seeds.
