# Other authors' packages without the network.

# mirrors <folder>: fills a folder with a configuration of SwiftPM, by which the packages of other authors are found on
# this machine, and sets the array `mirrored` to the options of `swift build` that use it. The packages are the stubs in
# Tests/Stubs/Packages, as git repositories in the same folder; or, if STRATA_PACKAGES names a folder, the real packages
# there: git repositories with their names and version tags.
# Nothing is written to the configuration of the user or of this package.
mirrors() {
  local folder=$1 packages=${STRATA_PACKAGES:-} stub name version owner separator=
  rm -rf "$folder"
  mkdir -p "$folder"
  if [ -z "$packages" ]; then
    packages=$PWD/$folder/packages
    for stub in Tests/Stubs/Packages/*/; do
      name=$(basename "$stub")
      mkdir -p "$packages"
      cp -r "$stub" "$packages/$name"
      # A stub has the lowest version that a manifest asks for.
      version=$(grep -rhoE --include=Package.swift "/$name(\.git)?\", from: \"[0-9.]+" . | sed 's/.*"//' | sort -V | tail -n 1)
      git -C "$packages/$name" init --quiet
      git -C "$packages/$name" add --all
      # The same stub is the same commit, so that it is not compiled again.
      GIT_AUTHOR_DATE=2000-01-01T00:00:00Z GIT_COMMITTER_DATE=2000-01-01T00:00:00Z git -C "$packages/$name" \
        -c user.name=stub -c user.email=stub@localhost commit --quiet --message stub
      git -C "$packages/$name" tag "${version:-1.0.0}"
    done
  fi
  {
    echo '{ "version": 1, "object": ['
    for name in $(ls "$packages"); do
      for owner in apple swift-server hummingbird-project vapor; do
        printf '%s{ "original": "https://github.com/%s/%s.git", "mirror": "file://%s" }\n' \
          "$separator" "$owner" "$name" "$packages/$name"
        separator=,
      done
    done
    echo '] }'
  } >"$folder/mirrors.json"
  mirrored=(--config-path "$folder" --security-path "$folder" --disable-dependency-cache)
}
