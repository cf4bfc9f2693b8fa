"""What a seat may know: views, samples, what an action would teach."""
