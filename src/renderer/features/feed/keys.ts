export const feedKeys = {
  pages: ['feed', 'pages'] as const,
  newest: ['newest post'] as const,
  /** Where the member has scrolled to. Not fetched: kept as a query so that it is cached on disk with the pages. */
  position: ['feed', 'position'] as const,
  /** The newest posts after the feed was restored from disk. */
  latest: ['latest posts'] as const,
}
