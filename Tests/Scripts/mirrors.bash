# Other authors' packages without the network.

# mirrors <folder> <manifest> …: sets the array `mirrored` to options of `swift build`, by which the packages that the
# manifests depend on are found on this machine. They are the stubs in Tests/Stubs/Packages, as git repositories in the
# folder. FRAMEWORKS=folder takes them from git repositories in a folder instead, <owner>/<name> with their tags, and
# what is not there from the network. Nothing is written to the configuration of the user or of a package.
mirrors() {
  local folder=$PWD/$1 wanted
  shift
  # The dependencies of the manifests and of the stubs, each with the versions from which it is wanted.
  wanted=$(sed -nE 's/.*\.package\(url: "([^"]+)", from: "([^"]+)".*/\1 \2/p' \
    "$@" Tests/Stubs/Packages/*/Package.swift | sort -u)
  mkdir -p "$folder/config"
  repositories "$folder" "$wanted" | sort -u | awk -F '\t' '
    { printf "%s{\"original\": \"%s\", \"mirror\": \"%s\"}", NR == 1 ? "{\"version\": 1, \"object\": [" : ",\n", $1, $2 }
    END { print "]}" }
  ' >"$folder/config/mirrors.json"
  # What SwiftPM remembers about repositories is about other ones of the same names.
  mirrored=(--config-path "$folder/config" --security-path "$folder/security" --cache-path "$folder/cache")
}

# repositories <folder> <URLs with versions>: prints the URL of each package, and the repository that SwiftPM takes
# instead.
repositories() {
  local folder=$1 url version repository
  if [ -n "${FRAMEWORKS:-}" ]; then
    for repository in "$FRAMEWORKS"/*/*/; do
      url=https://github.com/${repository#"$FRAMEWORKS"/}
      row "${url%/}" "$(realpath "$repository")"
      row "${url%/}.git" "$(realpath "$repository")"
    done
  else
    while read -r url version; do
      repository=$folder/stubs/$(basename "$url" .git)
      stub "$repository" "$version"
      row "$url" "$repository"
    done <<<"$2"
  fi
}

# row <URL> <folder>: prints a URL and that of a folder, whose path may have spaces.
row() { printf '%s\t%s\n' "$1" "file://${2// /%20}"; }

# stub <repository> <version>: makes a repository of a stub, if there is none yet, and tags it with a version. The same
# stub is always the same commit, so that it is not compiled again.
stub() {
  if [ ! -d "$1" ]; then
    mkdir -p "$(dirname "$1")"
    cp -R "Tests/Stubs/Packages/$(basename "$1")" "$1"
    git -C "$1" init --quiet
    git -C "$1" add --all
    GIT_AUTHOR_DATE=2000-01-01T00:00:00Z GIT_COMMITTER_DATE=2000-01-01T00:00:00Z \
      git -C "$1" -c user.name=Tests -c user.email=tests@localhost commit --quiet --message=Stub
  fi
  git -C "$1" tag --force "$2" >/dev/null
}
