// @ts-check

/**
 * The entries of a version, whose heading is `## X.Y.Z` or `## X.Y.Z - DATE`. Throws if there are none.
 * @param {string} changelog
 * @param {string} version
 */
export function releaseNotes(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((text) => text.split(/\s/, 1)[0] === version)
  const notes = section?.slice(section.indexOf('\n')).trim()
  if (!notes) throw new Error(`CHANGELOG.md has no entries under '## ${version}'.`)
  return notes
}
