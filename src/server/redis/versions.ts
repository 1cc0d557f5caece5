/**
 * Whether a version of a record comes after another one. Of versions from different lives of a key, which begin when
 * Redis has lost its data, the one that arrives later counts.
 */
export function isNewerVersion(version: string, than: string): boolean {
  const [life, count] = parseVersion(version)
  const [otherLife, otherCount] = parseVersion(than)
  return life !== otherLife || count > otherCount
}

function parseVersion(version: string): readonly [life: string, count: number] {
  const end = version.lastIndexOf('-')
  return [version.slice(0, end), Number(version.slice(end + 1))]
}

/** Whether Redis has not lost the record between two versions of it. */
export function isSameLife(version: string, other: string): boolean {
  return parseVersion(version)[0] === parseVersion(other)[0]
}
