/** placeholder */
export function unquoteLikeFilters(url: URL): URL {
  return url
}
