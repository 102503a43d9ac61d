// `sdcwidgets serve` sends another script in place of this one, which makes links lead to live pages.
