import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'

const files = {
  /** The picture or video. */
  file: z.string(),
  width: z.int().positive(),
  height: z.int().positive(),
  alt: z.string().min(1),
}

const manifestSchema = z.record(
  z.string(),
  z.discriminatedUnion('use', [
    z.strictObject({ use: z.literal('avatar'), ...files }),
    z.strictObject({
      use: z.enum(['post', 'story']),
      ...files,
      /** Of a post's picture of more than 2,048 px: its middle size. */
      middle: z.string().optional(),
      /** Of a post's picture: 1,080 px wide. */
      feed: z.string().optional(),
      /** 640 px on the short side; `file` itself if that is not larger. Of a video, its poster. */
      grid: z.string(),
      durationMs: z.int().positive().optional(),
      thumbhash: z.string(),
    }),
  ]),
)

/** The pictures that `npm run demo` has written, by name. */
export type DemoManifest = z.infer<typeof manifestSchema>

export type DemoAvatar = Extract<DemoManifest[string], { use: 'avatar' }>
/** A picture or video of a post, story or message. */
export type DemoPhoto = Exclude<DemoManifest[string], DemoAvatar>

/** Reads the manifest of the demo's pictures. Throws if it is missing or invalid. */
export async function readDemoManifest(assetsDir: string): Promise<DemoManifest> {
  return manifestSchema.parse(JSON.parse(await readFile(join(assetsDir, 'manifest.json'), 'utf8')))
}

/** The pictures of a manifest, by name and use. Each function throws on an unknown name. */
export function demoPictures(manifest: DemoManifest) {
  return {
    avatar: (name: string): DemoAvatar => {
      const picture = manifest[name]
      if (picture?.use !== 'avatar') throw new Error(`The demo community has no avatar named ${name}`)
      return picture
    },
    photo: (name: string): DemoPhoto => {
      const picture = manifest[name]
      if (picture === undefined || picture.use === 'avatar')
        throw new Error(`The demo community has no photo named ${name}`)
      return picture
    },
  }
}
