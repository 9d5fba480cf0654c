import { X } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { reachability } from '../api/reachability.ts'
import { Button, IconButton } from './button.tsx'
import { openDialogs } from './open-dialogs.ts'
import { createStore, useStore } from '../browser/store.ts'

/** Describes a message that disappears by itself. */
export interface Toast {
  readonly text: string
  readonly tone?: 'bad'
  readonly action?: { readonly label: string; readonly onSelect: () => void }
  /** Says that it stays until a person dismisses it. */
  readonly stays?: boolean
  /** Says that the server did not respond. The message leaves once it does. */
  readonly isOutage?: boolean
}

interface ShownToast extends Toast {
  readonly id: number
}

const shownForMs = 12_000
/** Limits how far from the lower edge a footer ends that messages would cover. */
const reachPx = 160
const toasts = createStore<readonly ShownToast[]>([])
let lastId = 0

/**
 * Shows a message about an action, with an undo button if there is one. It disappears after twelve seconds, unless
 * the pointer is on it or it `stays`.
 */
export function showToast(toast: Toast): void {
  lastId += 1
  toasts.set([...toasts.get().slice(-2), { ...toast, id: lastId }])
}

const dismiss = (id: number) => toasts.set(toasts.get().filter((toast) => toast.id !== id))

/** Removes the messages about a server that did not respond. */
function dismissOutages(): void {
  if (reachability.get().isUnreachable) return
  const others = toasts.get().filter(({ isOutage }) => isOutage !== true)
  if (others.length < toasts.get().length) toasts.set(others)
}

/** Renders the messages inside the open dialog, because nothing outside of it can be pressed or is read out. */
export function Toasts() {
  const dialog = useStore(openDialogs)
  useEffect(() => reachability.subscribe(dismissOutages), [])
  return createPortal(<ToastRegion />, dialog ?? document.body)
}

/** Renders the region of messages. F6 focuses it; the focus returns once its button was used. */
function ToastRegion() {
  const current = useStore(toasts)
  // Screen readers announce content that appears in an existing region.
  const [announced, setAnnounced] = useState<readonly ShownToast[]>([])
  const region = useRef<HTMLDivElement>(null)
  const before = useRef<HTMLElement | null>(null)

  useEffect(() => {
    const toRegion = (event: KeyboardEvent) => {
      if (event.key !== 'F6' || toasts.get().length === 0) return
      event.preventDefault()
      region.current?.querySelector('button')?.focus()
    }
    addEventListener('keydown', toRegion)
    return () => removeEventListener('keydown', toRegion)
  }, [])

  useEffect(() => {
    const element = region.current
    if (element === null || current.length === 0) return
    element.style.bottom = `${findClearance(element.parentElement ?? document.body)}px`
  }, [current])

  // Reopens the popover above an open dialog: the top layer shows the last opened element on top.
  useEffect(() => {
    // The region may have left the page with its dialog. It is then rendered elsewhere.
    if (region.current?.isConnected !== true) return
    if (current.length > 0) region.current.showPopover()
    else region.current.hidePopover()
    setAnnounced(current)
  }, [current])

  const leave = (id: number) => {
    const hadFocus = region.current?.contains(document.activeElement) === true
    dismiss(id)
    if (hadFocus) before.current?.focus()
  }

  return (
    <div
      ref={region}
      popover="manual"
      role="region"
      aria-label="Messages (F6)"
      // Over the sidebar where there is one: to the right are the values of production, and the switches that turn flags off.
      className="inset-auto right-4 bottom-4 m-0 flex-col gap-2 bg-transparent open:flex lg:right-auto lg:left-2 lg:w-56"
      onFocus={({ relatedTarget }) => {
        if (relatedTarget instanceof HTMLElement && !region.current?.contains(relatedTarget))
          before.current = relatedTarget
      }}
    >
      <div role="status" aria-live="polite" className="flex flex-col gap-2">
        {announced.map((toast) => (
          <ToastCard key={toast.id} toast={toast} onLeave={() => leave(toast.id)} />
        ))}
      </div>
    </div>
  )
}

const gapPx = 16

/**
 * Returns the distance of the messages from the lower edge, which leaves a footer there visible: the buttons of a dialog,
 * or the line about a cell.
 */
function findClearance(root: HTMLElement): number {
  const tops = [...root.querySelectorAll('[data-actions], [data-footer]')].flatMap((footer) => {
    const { top, bottom, height } = footer.getBoundingClientRect()
    const isAtEdge = height > 0 && top < innerHeight && bottom > innerHeight - reachPx
    return isAtEdge ? [top] : []
  })
  return Math.min(
    innerHeight / 2,
    Math.max(0, innerHeight - Math.min(innerHeight, ...tops)) + gapPx,
  )
}

function ToastCard({
  toast,
  onLeave,
}: {
  readonly toast: ShownToast
  readonly onLeave: () => void
}) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wait = useCallback(() => {
    clearTimeout(timer.current)
    if (toast.stays !== true) timer.current = setTimeout(() => dismiss(toast.id), shownForMs)
  }, [toast.id, toast.stays])
  useEffect(() => {
    wait()
    return () => clearTimeout(timer.current)
  }, [wait])
  return (
    <div
      className={`flex max-w-96 flex-wrap items-center gap-x-3 gap-y-1 rounded-md border border-line bg-panel py-2 pr-2 pl-4 shadow-lg ${toast.tone === 'bad' ? 'text-bad' : 'text-text'}`}
      onPointerEnter={() => clearTimeout(timer.current)}
      onPointerLeave={wait}
      onFocus={() => clearTimeout(timer.current)}
      onBlur={wait}
    >
      <span className="min-w-0 flex-1 basis-32 break-words">{toast.text}</span>
      {toast.action && (
        <Button
          onClick={() => {
            toast.action?.onSelect()
            onLeave()
          }}
        >
          {toast.action.label}
        </Button>
      )}
      <IconButton label="Dismiss" icon={X} onClick={onLeave} />
    </div>
  )
}
