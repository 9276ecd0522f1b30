module lastwords

go 1.26
