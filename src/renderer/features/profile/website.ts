/** A website as a profile shows it: without its scheme and without the slash of an empty path. */
export function websiteLabel(url: string): string {
  return url.replace(/^https?:\/\//i, '').replace(/^([^/?#]+)\/$/, '$1')
}
