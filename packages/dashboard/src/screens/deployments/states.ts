import type { DeploymentState } from '@signalbox/contract'
import type { TestRunState } from '@signalbox/contract/rest'
import {
  Ban,
  Check,
  CircleDashed,
  CircleHelp,
  Clock,
  LoaderCircle,
  MessageSquare,
  MessageSquareOff,
  RotateCcw,
  Send,
  SkipForward,
  Timer,
  TriangleAlert,
  X,
  type LucideIcon,
} from 'lucide-react'
import type { AnswerOf } from '../../api/routes.ts'
import type { Tone } from '../../components/badge.tsx'

/** Describes how a state is shown: a word, and a color and an icon that repeat it. */
export interface StateVariant {
  readonly word: string
  readonly tone: Tone
  readonly icon: LucideIcon
}

/** Describes how a state of a deployment is shown, with an explanation in one sentence. */
export interface DeploymentVariant extends StateVariant {
  readonly meaning: string
}

/** Maps each state of a deployment to its word, color, icon and meaning. */
export const deploymentVariants: Readonly<Record<DeploymentState, DeploymentVariant>> = {
  waiting: {
    word: 'Waiting',
    tone: 'neutral',
    icon: Clock,
    meaning: 'The deployment waits for an approval or a timer.',
  },
  queued: {
    word: 'Queued',
    tone: 'neutral',
    icon: Clock,
    meaning: 'The deployment is accepted and waits for a runner.',
  },
  pending: {
    word: 'Pending',
    tone: 'neutral',
    icon: Clock,
    meaning: 'The deployment was created and has reported no progress yet.',
  },
  in_progress: {
    word: 'Running',
    tone: 'info',
    icon: LoaderCircle,
    meaning: 'The deployment is running.',
  },
  success: {
    word: 'Deployed',
    tone: 'ok',
    icon: Check,
    meaning: 'The deployment is live.',
  },
  failure: {
    word: 'Failed',
    tone: 'bad',
    icon: X,
    meaning: 'The deployment ended without success. The one before it stays live.',
  },
  error: {
    word: 'Error',
    tone: 'bad',
    icon: TriangleAlert,
    meaning: 'The deployment couldn’t run, for example because of a missing permission.',
  },
  superseded: {
    word: 'Superseded',
    tone: 'neutral',
    icon: SkipForward,
    meaning: 'A newer deployment replaced this one.',
  },
  rolled_back: {
    word: 'Rolled back',
    tone: 'warn',
    icon: RotateCcw,
    meaning: 'A deployment of an older commit replaced this one.',
  },
}

/** Maps each state of a test run to its word, color and icon. */
export const testRunVariants: Readonly<Record<TestRunState, StateVariant>> = {
  planned: { word: 'Planned', tone: 'neutral', icon: Clock },
  dispatching: { word: 'Starting', tone: 'info', icon: LoaderCircle },
  unknown: { word: 'Looking for the run', tone: 'neutral', icon: CircleHelp },
  queued: { word: 'Queued', tone: 'neutral', icon: Clock },
  running: { word: 'Running', tone: 'info', icon: LoaderCircle },
  passed: { word: 'Passed', tone: 'ok', icon: Check },
  failed: { word: 'Failed', tone: 'bad', icon: X },
  errored: { word: 'Error', tone: 'bad', icon: TriangleAlert },
  cancelled: { word: 'Cancelled', tone: 'neutral', icon: Ban },
  timed_out: { word: 'Timed out', tone: 'bad', icon: Timer },
  skipped: { word: 'Skipped', tone: 'neutral', icon: SkipForward },
}

type MessageState =
  AnswerOf<'GET /organizations/{org_id}/deployments/{deployment_id}'>['messages'][number]['state']

/** Maps each state of a message to its word, color and icon. */
export const messageVariants: Readonly<Record<MessageState, StateVariant>> = {
  wanted: { word: 'Waiting', tone: 'neutral', icon: Clock },
  sending: { word: 'Sending', tone: 'info', icon: Send },
  live: { word: 'Sent', tone: 'ok', icon: MessageSquare },
  held: { word: 'Waiting', tone: 'warn', icon: CircleDashed },
  broken: { word: 'Failed', tone: 'bad', icon: MessageSquareOff },
  gone: { word: 'Deleted', tone: 'neutral', icon: MessageSquareOff },
}
