import {
  CalendarClock,
  CircleCheck,
  CircleX,
  Clock,
  ThumbsDown,
  ThumbsUp,
  TimerOff,
  Undo2,
  type LucideIcon,
} from 'lucide-react'
import { waitingStates, type RequestState } from '@signalbox/contract'
import type { ItemOf } from '../../api/routes.ts'
import type { Tone } from '../../components/badge.tsx'

/** Describes a request as lists show it. */
export type RequestSummary = ItemOf<'GET /organizations/{org_id}/change-requests'>

interface StateStyle {
  readonly word: string
  readonly tone: Tone
  readonly icon: LucideIcon
}

/** Maps each state of a request to its word, its color and its icon. */
export const stateStyles: Readonly<Record<RequestState, StateStyle>> = {
  open: { word: 'waiting for approval', tone: 'info', icon: Clock },
  approved: { word: 'approved', tone: 'ok', icon: ThumbsUp },
  scheduled: { word: 'scheduled', tone: 'info', icon: CalendarClock },
  declined: { word: 'declined', tone: 'bad', icon: ThumbsDown },
  applied: { word: 'applied', tone: 'ok', icon: CircleCheck },
  withdrawn: { word: 'withdrawn', tone: 'neutral', icon: Undo2 },
  expired: { word: 'expired', tone: 'neutral', icon: TimerOff },
  failed: { word: 'failed', tone: 'bad', icon: CircleX },
}

/** Returns whether people can still decide about a request. */
export function isWaiting({ state }: Pick<RequestSummary, 'state'>): boolean {
  return waitingStates.some((waiting) => waiting === state)
}
