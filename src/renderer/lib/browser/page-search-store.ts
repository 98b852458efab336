/** The searches that the shown page has itself, such as that of an open conversation. The last one is in front. */
let searches: readonly (() => void)[] = []

/** Makes 'Find' open this search instead of the find bar. Returns a function that ends it. */
export function offerPageSearch(search: () => void): () => void {
  searches = [...searches, search]
  return () => {
    searches = searches.filter((other) => other !== search)
  }
}

export function pageSearch(): (() => void) | null {
  return searches.at(-1) ?? null
}
