import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { Dialog } from '#/renderer/components/Dialog'
import { useMe } from '#/renderer/features/auth'
import { focusSearch } from '#/renderer/features/search'
import { listenForShortcuts } from '#/renderer/lib/shortcuts'
import { texts } from '#/renderer/lib/texts'

/** The shortcuts that work on every page; those of a list are the list's own. */
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

  if (!isListShown) return null
  return (
    <Dialog title={texts.shortcuts.title} onClose={() => setIsListShown(false)}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-2.5 text-[14px]">
        {texts.shortcuts.list.map(([keys, what]) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="rounded-sm border border-line bg-sunk px-2 py-0.5 font-medium font-sans text-[12.5px]">
                {keys}
              </kbd>
            </dt>
            <dd className="text-quiet">{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
