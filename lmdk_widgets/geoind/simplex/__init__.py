"""Where the simplex of the optimal mechanism is compiled from; its functions are in `linear`."""
