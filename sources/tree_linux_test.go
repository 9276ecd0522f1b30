package sources

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Root reads everything, so that as root this test runs itself again as another user.
func TestNoPermission(t *testing.T) {
	if dir := os.Getenv("SOURCES_TEST_DIR"); dir != "" {
		noPermission(t, dir)
		return
	}
	dir := t.TempDir()
	write(t, dir, "good.log", "x")
	write(t, dir, "closed/in.log", "x")
	os.Chmod(write(t, dir, "secret.log", "x"), 0)
	os.Chmod(filepath.Join(dir, "closed"), 0)
	defer os.Chmod(filepath.Join(dir, "closed"), 0o755)
	if os.Getuid() != 0 {
		noPermission(t, dir)
		return
	}
	for d := dir; d != os.TempDir() && d != "/"; d = filepath.Dir(d) {
		os.Chmod(d, 0o755)
	}
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	bin := write(t, dir, "../test-as-nobody", string(self))
	os.Chmod(bin, 0o755)
	cmd := exec.Command(bin, "-test.run=^TestNoPermission$", "-test.v")
	cmd.Dir, cmd.Env = "/", append(os.Environ(), "SOURCES_TEST_DIR="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestNoPermission") {
		t.Fatalf("%v\n%s", err, out)
	}
}

func noPermission(t *testing.T, dir string) {
	r := collect(t, Open(dir, Options{}), 2)
	r.wantText(t, map[string]string{dir + "/good.log": "x"})
	r.wantProblems(t, dir+"/secret.log: permission denied", dir+"/closed: permission denied")
	named := dir + "/secret.log"
	collect(t, Open(named, Options{}), 2).wantProblems(t, named+": permission denied")
}

func TestSpecialFiles(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.log", "x")
	for name, mode := range map[string]uint32{"fifo": syscall.S_IFIFO, "sock": syscall.S_IFSOCK} {
		if err := syscall.Mknod(filepath.Join(dir, name), mode|0o644, 0); err != nil {
			t.Fatal(err)
		}
	}
	link(t, "../"+filepath.Base(dir)+"/fifo", filepath.Join(dir, "to-fifo"))
	r := collect(t, Open(dir, Options{}), 2)
	r.wantText(t, map[string]string{dir + "/a.log": "x"})
	r.wantProblems(t, dir+"/fifo: named pipe", dir+"/sock: socket", dir+"/to-fifo: named pipe")
	collect(t, Open(dir+"/sock", Options{}), 2).wantProblems(t, dir+"/sock: socket")
	collect(t, Open("/dev/null", Options{}), 2).wantText(t, map[string]string{"/dev/null": ""})
}

// A pipe that was named is read: it is how a shell passes <(command).
func TestNamedPipe(t *testing.T) {
	p := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(p, 0o644); err != nil {
		t.Fatal(err)
	}
	text := prose(300_000)
	go os.WriteFile(p, []byte(gz(text)), 0)
	r := collect(t, Open(p, Options{}), 1)
	r.wantText(t, map[string]string{p: text})
	r.wantProblems(t)
}
