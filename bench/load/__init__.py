"""Many tables at once: how many moves a second, how soon everybody sees them, and how much memory it takes."""
