import { CloudOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '#/renderer/components/Button'
import { Spinner } from '#/renderer/components/Spinner'
import { texts } from '#/renderer/lib/texts'
import { retryEnter, signOut } from './session-store'

const RETRY_MS = 5_000

/** Shown for a stored session while the server is unreachable: retries automatically, and on demand. */
export function UnreachableScreen() {
  const [isTrying, setIsTrying] = useState(false)

  useEffect(() => {
    const timer = setInterval(() => void retryEnter(), RETRY_MS)
    const retryNow = () => void retryEnter()
    window.addEventListener('online', retryNow)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', retryNow)
    }
  }, [])

  const handleRetry = async () => {
    setIsTrying(true)
    await retryEnter()
    setIsTrying(false)
  }

  return (
    <main className="grid min-h-[70vh] place-items-center p-6 text-center">
      <div className="max-w-90">
        <CloudOff aria-hidden="true" className="mx-auto mb-3 size-8 stroke-[1.25] text-quiet" />
        <p role="alert" className="mb-5 text-quiet">
          {texts.auth.offline}
        </p>
        <div className="flex items-center justify-center gap-3">
          <Button variant="primary" onClick={handleRetry} disabled={isTrying}>
            {isTrying && <Spinner size={16} />}
            {texts.tryAgain}
          </Button>
          <Button onClick={() => void signOut()}>{texts.nav.signOut}</Button>
        </div>
      </div>
    </main>
  )
}
