export const feedKeys = {
  pages: ['feed', 'pages'] as const,
  newest: ['newest post'] as const,
}
