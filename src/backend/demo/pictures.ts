import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'

const manifestSchema = z.record(
  z.string(),
  z.strictObject({
    use: z.enum(['post', 'story', 'avatar']),
    file: z.string(),
    thumbnail: z.string().optional(),
    width: z.int().positive(),
    height: z.int().positive(),
    durationMs: z.int().positive().optional(),
    alt: z.string().min(1),
  }),
)

/** The pictures that `npm run demo` has written, by name. */
export type DemoManifest = z.infer<typeof manifestSchema>

/** A picture or video. */
export interface DemoPicture {
  dataUrl: string
  /** Null for avatars. */
  thumbnailUrl: string | null
  width: number
  height: number
  /** Of a video; null for pictures. */
  durationMs: number | null
  alt: string
}

export async function readDemoManifest(assetsDir: string): Promise<DemoManifest> {
  return manifestSchema.parse(JSON.parse(await readFile(join(assetsDir, 'manifest.json'), 'utf8')))
}

/** All pictures and videos of the folder as data URLs, by name. */
export async function loadDemoPictures(assetsDir: string): Promise<Map<string, DemoPicture>> {
  const manifest = await readDemoManifest(assetsDir)
  const dataUrl = async (file: string) => {
    const type = file.endsWith('.webm') ? 'video/webm' : 'image/webp'
    return `data:${type};base64,${await readFile(join(assetsDir, file), 'base64')}`
  }
  const entries = Object.entries(manifest).map(async ([name, { file, thumbnail, durationMs, ...about }]) => {
    const [full, small] = await Promise.all([
      dataUrl(file),
      thumbnail === undefined ? null : dataUrl(thumbnail),
    ])
    const { width, height, alt } = about
    const picture = { dataUrl: full, thumbnailUrl: small, width, height, durationMs: durationMs ?? null, alt }
    return [name, picture] as const
  })
  return new Map(await Promise.all(entries))
}
