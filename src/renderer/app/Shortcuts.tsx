import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { lazyDialog } from '#/renderer/components/lazy-contained'
import { useMe } from '#/renderer/features/auth'
import { focusSearch } from '#/renderer/features/search'
import { listenForShortcuts } from '#/renderer/lib/browser/shortcuts'

const ShortcutsDialog = lazyDialog(() => import('./ShortcutsDialog'), 'ShortcutsDialog')

/** The shortcuts that work on every page. Lists register their own. */
export function Shortcuts() {
  const navigate = useNavigate()
  const { username } = useMe().profile
  const [isListShown, setIsListShown] = useState(false)

  useEffect(() => {
    return listenForShortcuts({
      n: () => navigate('/create'),
      '/': focusSearch,
      'g h': () => navigate('/'),
      'g m': () => navigate('/messages'),
      'g p': () => navigate(`/profile/${username}`),
      '?': () => setIsListShown(true),
    })
  }, [navigate, username])

  return isListShown && <ShortcutsDialog onClose={() => setIsListShown(false)} />
}
