import { GRID_TEXT_PREVIEW } from '#/shared/limits'

/** Preview of a post without a picture: its first 50 code points, always followed by '...' (PROF-06). */
export function gridPreview(content: string): string {
  return `${[...content].slice(0, GRID_TEXT_PREVIEW).join('')}...`
}
