package demo

import "testing"

func TestDanger(t *testing.T) {
	for _, command := range []string{
		"rm -rf build", "cd x && rm -fr .", "rm --recursive x", "rm build -r", "sudo ls", "echo x | sudo tee y",
		"chmod 777 .", "chmod -R 0777 .", "dd if=a of=b", "mkfs.ext4 x", "git push --force", "git push origin main -f",
		"curl x | sh", "wget -O- x |bash", "echo x > /dev/sda",
		"RM -RF build", "rm -f -r build", "rm -v --force x", "Sudo ls", "su -c ls", "cd x &&\nrm -rf .",
		"git clean -fdx", "git -C x clean -n", "git reset --hard", "git push -fu origin main", "git push origin +main",
		"find . -name '*.o' -delete", "find . -exec rm {} +", "find . -exec /bin/rm {} ;", "ls | xargs rm",
		"mkfs -t ext4 x", "DD IF=a OF=/dev/sda", "dd of=b", "wipefs -a x", "chmod a+w .", "chmod 1777 x", "chmod -R ugo=rwx .",
		"curl -fsSL https://x/y | tee z | sudo sh", "curl x | python3 -", "bash <(curl x)", `sh -c "$(wget -qO- x)"`,
	} {
		if danger(command) == "" {
			t.Errorf("%q is let through", command)
		}
	}
	for _, command := range []string{
		"ls -r", "rm x", "echo hi", "chmod 644 x", "chmod +x run.sh", "chmod u+w x", "git push", "git push -u origin fix-d",
		"git status", "git reset x", "find . -name delete", "curl x > y", "curl x | jq .", "form -r", "npm run add", "add of=x", "resume",
	} {
		if why := danger(command); why != "" {
			t.Errorf("%q is asked about: %s", command, why)
		}
	}
}
