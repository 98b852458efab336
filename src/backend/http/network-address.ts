import { BlockList, isIPv6 } from 'node:net'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** Whether a caller's address is this machine's own. */
export function isLoopbackAddress(address: string): boolean {
  const plain = withoutMapping(address)
  return LOOPBACK.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}

/** One key for all 16 million loopback addresses. */
const THIS_MACHINE = 'loopback'

/**
 * The key of one caller: loopback, an IPv4 address, or the first 64 bits of an IPv6 address, since one machine can use
 * any address of its IPv6 network.
 */
export function callerOf(address: string): string {
  if (isLoopbackAddress(address)) return THIS_MACHINE
  const plain = withoutMapping(address)
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = (plain.split('%')[0] ?? '').split('::')
  const before = groups(head)
  const after = tail === undefined ? [] : groups(tail)
  const whole = [
    ...before,
    ...Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0'),
    ...after,
  ]
  return `${whole
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

/** `::ffff:192.168.0.2`, as an IPv4 caller is named where both are listened for, is `192.168.0.2`. */
const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

const groups = (text: string): string[] => (text === '' ? [] : text.split(':'))
