import { BlockList, isIPv6 } from 'node:net'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

export function isLoopbackAddress(address: string): boolean {
  const plain = withoutMapping(address)
  return LOOPBACK.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}

/** All 16 million loopback addresses have the same key. */
const THIS_MACHINE = 'loopback'

/**
 * Identifies the machine of an address: loopback, an IPv4 address, or the first 64 bits of an IPv6 address, because a
 * machine can use any address of its IPv6 network.
 */
export function addressKey(address: string): string {
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

/** Turns `::ffff:192.168.0.2`, an IPv4 address on a dual-stack socket, into `192.168.0.2`. */
const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

const groups = (text: string): string[] => (text === '' ? [] : text.split(':'))
