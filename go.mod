module lastwords

go 1.26

require github.com/goccy/go-yaml v1.19.2

require pgregory.net/rapid v1.3.0

require github.com/klauspost/compress v1.20.4
