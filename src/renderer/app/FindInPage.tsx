import { useEffect, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { desktop } from '#/renderer/features/desktop'
import { pageSearch } from '#/renderer/lib/browser/page-search-store'
import { isCovered, onFindKeys } from '#/renderer/lib/browser/shortcuts'
import { FindBar } from './FindBar'

/**
 * What Ctrl or Cmd and F open: the search of the shown page, such as that of an open conversation, or else the find bar. Browsers have
 * their own. Must be the first element of the page: see `FindBar`.
 */
export function FindInPage() {
  const [text, setText] = useState('')
  /** Where the bar was opened, and how often it was asked for there; null while it is closed. */
  const [opened, setOpened] = useState<{ address: string; times: number } | null>(null)
  const { pathname, search } = useLocation()
  const address = pathname + search

  useEffect(() => {
    const find = () => {
      const own = pageSearch()
      if (own !== null) own()
      else if (desktop.host === 'electron') setOpened((last) => ({ address, times: (last?.times ?? 0) + 1 }))
      else return false
      return true
    }
    const unlisten = [
      onFindKeys(find),
      desktop.find.onAsked(() => {
        if (!isCovered()) find()
      }),
    ]
    return () => {
      for (const end of unlisten) end()
    }
  }, [address])

  // What was found belongs to the page that is left.
  if (opened !== null && opened.address !== address) setOpened(null)
  if (opened?.address !== address) return null
  return <FindBar text={text} times={opened.times} onText={setText} onClose={() => setOpened(null)} />
}
