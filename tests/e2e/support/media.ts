import type { Page } from '@playwright/test'
import type { Member } from './member'

/** The object that a row refers to, as a data URL; null without one. */
export async function mediaOf(member: Member, path: string | null): Promise<string | null> {
  if (path === null) return null
  const { data, error } = await member.api.storage.from('media').download(path)
  if (error) throw error
  return `data:${data.type};base64,${Buffer.from(await data.arrayBuffer()).toString('base64')}`
}

/** Deletes all posts of the member. */
export async function deleteOwnPosts({ api, id }: Member): Promise<void> {
  const { data: posts } = await api.from('posts').select('id').eq('user_id', id).throwOnError()
  await api.rpc('delete_posts', { ids: posts.map((post) => post.id) }).throwOnError()
}

/** The photo of a post of the member, by default their only one; its full, middle and small size as data URLs. */
export async function storedPhoto(member: Member, id?: string) {
  const posts = member.api
    .from('posts')
    .select('content,location,media:post_media(alt_text,width,height,full_path,middle_path,grid_path)')
    .eq('user_id', member.id)
  const { data: post } = await (id === undefined ? posts : posts.eq('id', id)).single().throwOnError()
  const { content, location, media } = post
  const [photo] = media
  return {
    content,
    location,
    altText: photo?.alt_text,
    width: photo?.width,
    height: photo?.height,
    full: (await mediaOf(member, photo?.full_path ?? null)) ?? '',
    /** Null if the full picture is no larger. */
    middle: await mediaOf(member, photo?.middle_path ?? null),
    small: (await mediaOf(member, photo?.grid_path ?? null)) ?? '',
  }
}

/** Keeps the files of the page's object URLs for `dataUrlOf`. Call it before the page loads. */
export async function keepObjectUrls(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const files = new Map<string, Blob>()
    const create = URL.createObjectURL
    URL.createObjectURL = (source: Blob) => {
      const url = create(source)
      files.set(url, source)
      return url
    }
    Object.assign(window, { fileOfUrl: (url: string) => files.get(url) })
  })
}

/** The file of an object URL as a data URL; returns a data URL unchanged. */
export function dataUrlOf(page: Page, url: string): Promise<string> {
  return page.evaluate((source) => {
    const { fileOfUrl } = window as unknown as { fileOfUrl?: (url: string) => Blob | undefined }
    const file = fileOfUrl?.(source)
    if (file === undefined) return source
    return new Promise<string>((resolve) => {
      const reader = new FileReader()
      reader.addEventListener('load', () => resolve(String(reader.result)))
      reader.readAsDataURL(file)
    })
  }, url)
}
