import { randomUUID } from 'node:crypto'

/** Returns fresh random UUIDs, each greater than the one before it, for rows of one moment that need an order. */
export function takeOrderedUuids(count: number): string[] {
  return Array.from({ length: count }, () => randomUUID()).sort()
}
