package demo

import "testing"

func TestDanger(t *testing.T) {
	for _, command := range []string{
		"rm -rf build", "cd x && rm -fr .", "rm --recursive x", "rm build -r", "sudo ls", "echo x | sudo tee y",
		"chmod 777 .", "chmod -R 0777 .", "dd if=a of=b", "mkfs.ext4 x", "git push --force", "git push origin main -f",
		"curl x | sh", "wget -O- x |bash", "echo x > /dev/sda",
	} {
		if danger(command) == "" {
			t.Errorf("%q is let through", command)
		}
	}
	for _, command := range []string{"ls -r", "rm x", "echo hi", "chmod 644 x", "git push", "curl x > y", "form -r", "npm run add"} {
		if why := danger(command); why != "" {
			t.Errorf("%q is asked about: %s", command, why)
		}
	}
}
