import { useSearch } from '@tanstack/react-router'
import { useKeptDays } from '../../session/session.ts'
import { limitPeriod, type Period } from './search.ts'

/** Returns the period of the overview: that of the address, if this server keeps deployments for so long. */
export function usePeriod(): Period {
  const { days } = useSearch({ from: '/$org/' })
  return limitPeriod(days, useKeptDays())
}
