"""What every page is made of, whatever carries it: messages in and out, work beside it, what is drawn, what is taken away."""
