import { useQueryClient, type Query, type UseQueryResult } from '@tanstack/react-query'
import { CircleAlert, Lock, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { isRequested, type ApiProblem } from '../api/problem.ts'
import { Button } from './button.tsx'
import { toClock } from './time.tsx'

interface MessageProps {
  readonly icon?: LucideIcon
  readonly title: string
  /** Says whether it fills the screen, and its title is the screen's. */
  readonly isScreen?: boolean
  readonly children?: ReactNode
  /** Holds the main action. */
  readonly action?: ReactNode
}

/** Renders the reason why there is no content, and what to do. */
export function EmptyState({
  icon: Icon,
  title,
  isScreen = false,
  children,
  action,
}: MessageProps) {
  const Heading = isScreen ? 'h1' : 'h2'
  return (
    <div className="mx-auto flex max-w-xl flex-col items-center gap-3 px-4 py-12 text-center">
      {Icon && <Icon aria-hidden size={28} className="text-muted" />}
      <Heading className="text-lg font-semibold">{title}</Heading>
      {children !== undefined && <div className="text-muted">{children}</div>}
      {action}
    </div>
  )
}

interface ProblemProps {
  readonly problem: ApiProblem
  readonly onRetry?: (() => void) | undefined
  /** Says whether a retry is running. */
  readonly isRetrying?: boolean
}

/** Renders a rejection in the server's words, with advice and the request id. */
export function ProblemState({ problem, onRetry, isRetrying = false }: ProblemProps) {
  if (problem.code === 'role_forbidden') {
    return (
      <EmptyState icon={Lock} title="Your role does not allow this">
        {problem.message}
      </EmptyState>
    )
  }
  const { requestId } = problem
  const isGone = problem.status === 404
  // A resource that is gone stays gone, so a retry is not offered.
  const isOver = isGone || problem.status === 410
  return (
    <div role="alert">
      <EmptyState
        icon={CircleAlert}
        title={isGone ? 'Not found' : problem.title}
        action={
          isOver || onRetry === undefined ? undefined : (
            <Button pending={isRetrying} onClick={onRetry}>
              Try again
            </Button>
          )
        }
      >
        {isGone
          ? 'This doesn’t exist, or it belongs to an organization that you’re not a member of.'
          : problem.message}
        {/* Some say it themselves. */}
        {requestId !== undefined && !isGone && !problem.message.includes(requestId) && (
          <p className="mt-2 text-sm">
            Request <span className="font-mono break-all">{requestId}</span>
          </p>
        )}
      </EmptyState>
    </div>
  )
}

interface FormProblemProps {
  readonly problem: ApiProblem | null
  /** Lists the pointers of errors that the fields show, such as `['/email']`. */
  readonly fields?: readonly string[]
}

/** Renders the part of a rejection that belongs to no field, above the form. */
export function FormProblem({ problem, fields = [] }: FormProblemProps) {
  if (problem === null) return null
  const { errors, message } = problem
  if (isRequested(problem)) {
    return (
      <p role="status" className="rounded-md bg-info-ground px-3 py-2 text-info">
        {message}
      </p>
    )
  }
  const others = errors.filter(({ pointer }) => !fields.includes(pointer))
  if (errors.length > 0 && others.length === 0) return null
  return (
    <div role="alert" className="rounded-md bg-bad-ground px-3 py-2 text-bad">
      {others.length === 0 ? message : others.map(({ detail }) => detail).join(' ')}
      {/* A moment, and no number of seconds, stays true while it is read. */}
      {problem.retryAt && ` Try again after ${toClock(problem.retryAt)}.`}
    </div>
  )
}

const skeletonBar = 'h-3 animate-pulse rounded bg-edge/40 forced-colors:bg-[GrayText]'
const skeletonWidths = ['w-2/3', 'w-2/5', 'w-1/2', 'w-3/4', 'w-1/3'] as const

/** Renders grey bars in place of the content, like a list: a text of some width, and a short one at its end. */
export function Skeleton({ lines = 4 }: { readonly lines?: number }) {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-3 p-4">
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className="flex h-5 items-center justify-between gap-6">
          <div className={`${skeletonBar} ${skeletonWidths[line % skeletonWidths.length]}`} />
          <div className={`${skeletonBar} w-12`} />
        </div>
      ))}
    </div>
  )
}

const hasFailed = ({ state }: Query) => state.status === 'error'

interface LoadedProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isFetching'>
  readonly skeleton?: ReactNode
  /** Wraps a skeleton or a problem, where the content renders its own page. */
  readonly around?: (instead: ReactNode) => ReactNode
  readonly children: (data: Data) => ReactNode
}

/** Renders a read: a skeleton, then the content, or the reason why there is none. The content stays while it is read again. */
export function Loaded<Data>({
  query,
  skeleton = <Skeleton />,
  around = (instead) => instead,
  children,
}: LoadedProps<Data>) {
  const { data, error, isFetching } = query
  const client = useQueryClient()
  if (data !== undefined && error?.status !== 404 && error?.status !== 403) return children(data)
  if (error === null) return around(skeleton)
  // Retries every failed read on the screen: one press must be enough.
  const retry = () => void client.refetchQueries({ type: 'active', predicate: hasFailed })
  return around(<ProblemState problem={error} isRetrying={isFetching} onRetry={retry} />)
}
