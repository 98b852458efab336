/** A join that is refused; `message` is the reason that the client receives. */
export class JoinError extends Error {
  override readonly name = 'JoinError'
}
