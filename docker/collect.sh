#!/bin/sh
# Collects the content of the image in one folder: Node without its symbols, the libraries that Node and the packages load, a
# small shell, and the built program with the three packages that are not bundled. Runs in the build stage of the Dockerfile.
set -eu
root=$1
epoch=$2

mkdir -p "$root/bin" "$root/usr/bin" "$root/usr/local/bin" "$root/tmp" "$root/etc/ssl/certs" "$root/var/lib/dpkg/status.d"
chmod 1777 "$root/tmp"
strip -o "$root/usr/local/bin/node" "$(realpath /app/node_modules/.bin/node)"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
cp /bin/busybox "$root/bin/busybox"
# A shell and tools for inspection; wget is for the health check.
for tool in sh cat cp date df du env find grep head hostname id kill ls mkdir mv nslookup ps rm sed sleep tail tar top touch vi wc wget; do
  ln -s busybox "$root/bin/$tool"
done
ln -s /bin/busybox "$root/usr/bin/env"

modules=/app/node_modules
case $(uname -m) in
  x86_64) platform=x64 ;;
  aarch64) platform=arm64 ;;
  *) echo "There is no compiled SQLite library for $(uname -m)." >&2; exit 1 ;;
esac
app=$root/app
mkdir -p "$app/node_modules/better-sqlite3/prebuilds" "$app/clients/cli" "$app/clients/dashboard"
cd "$modules"
cp -R cookie "$app/node_modules/"
cp -R @node-rs "$app/node_modules/"
cp -R better-sqlite3/package.json better-sqlite3/LICENSE better-sqlite3/lib "$app/node_modules/better-sqlite3/"
cp "better-sqlite3/prebuilds/linux-$platform.node" "$app/node_modules/better-sqlite3/prebuilds/"
strip "$app/node_modules/better-sqlite3/prebuilds/linux-$platform.node"

cd /app
cp -R package.json LICENSE CHANGELOG.md config docs docker dist "$app/"
cp -R clients/cli/package.json clients/cli/bin clients/cli/dist "$app/clients/cli/"
cp -R clients/dashboard/dist "$app/clients/dashboard/"
find "$app" -name '*.map' -delete
# The build uses these to detect changed sources. They have the times of this build, and the image does not read them.
for record in build cli dashboard sdk; do rm "$app/dist/$record.json"; done
ln -s /app/clients/cli/bin/mailkeel.js "$root/usr/local/bin/mailkeel"

# The shared libraries of all of these, at the paths where they are searched, and the packages that they belong to.
find "$root" -type f \( -name node -o -name '*.node' \) -exec ldd {} + | grep -o '/[^ ]*\.so[^ ]*' | sort -u >/tmp/libraries
# Names are resolved through files and DNS.
for name in libnss_files.so.2 libnss_dns.so.2 libresolv.so.2; do
  find /lib /usr/lib -name "$name" | head -n 1 >>/tmp/libraries
done
while read -r library; do
  real=$(realpath "$library")
  mkdir -p "$root$(dirname "$library")"
  cp -L "$real" "$root$library"
  dpkg -S "$real" 2>/dev/null | cut -d: -f1 || true
done </tmp/libraries | sort -u >/tmp/packages
for package in $(cat /tmp/packages) busybox-static ca-certificates; do
  dpkg-query -s "$package" >"$root/var/lib/dpkg/status.d/$package"
  mkdir -p "$root/usr/share/doc/$package"
  cp "/usr/share/doc/$package/copyright" "$root/usr/share/doc/$package/"
done
# The licence texts that those refer to. Those of Node and of npm's packages are in dist/LICENSES.txt.
cp -R /usr/share/common-licenses "$root/usr/share/"
cp /etc/os-release "$root/etc/"
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"
printf 'root:x:0:0:root:/:/bin/sh\nmailkeel:x:10001:10001::/app:/bin/sh\n' >"$root/etc/passwd"
printf 'root:x:0:\nmailkeel:x:10001:\n' >"$root/etc/group"

mv "$app/dist/sbom.cdx.json" "$app/sbom.cdx.json"
find "$root" -exec touch -h -d "@$epoch" {} +
