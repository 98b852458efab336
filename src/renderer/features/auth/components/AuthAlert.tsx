import { Alert } from '#/renderer/components/Alert'
import type { AuthProblem } from '../auth-errors'

export function AuthAlert({ problem }: { problem: AuthProblem | null }) {
  if (problem === null) return null
  return (
    <Alert>
      <p className="font-medium">{problem.message}</p>
      {problem.advice !== null && <p className="mt-0.5 text-[13px] text-quiet">{problem.advice}</p>}
    </Alert>
  )
}
