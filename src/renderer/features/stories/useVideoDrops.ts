import { useNavigate } from 'react-router-dom'
import { useMe } from '#/renderer/features/auth'
import { logIfFails } from '#/renderer/lib/core/logger'
import { isVideoFile } from '#/renderer/lib/media'
import { NEW_STORY, withStory } from './address'

/**
 * Takes files that are dropped or pasted on the form for a post: a single video opens the form for a story with it (CREATE-06), and
 * all else goes to `onFiles`.
 */
export function useVideoDrops(onFiles: (files: readonly File[]) => void): (files: readonly File[]) => void {
  const navigate = useNavigate()
  const { id: me } = useMe()
  const take = async (files: readonly File[]) => {
    const [file] = files
    if (file === undefined || files.length > 1 || !(await isVideoFile(file))) return onFiles(files)
    const { takeForStory } = await import('./video-work')
    await navigate({ pathname: '/', search: withStory('', NEW_STORY) })
    await takeForStory(me, file)
  }
  return (files) => logIfFails('add video to story', take(files))
}
