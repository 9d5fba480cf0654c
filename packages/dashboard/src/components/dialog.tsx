import { useBlocker } from '@tanstack/react-router'
import { X } from 'lucide-react'
import {
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type MouseEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import type { ApiProblem } from '../api/problem.ts'
import { isPressedHere } from '../browser/last-press.ts'
import { IconButton } from './button.tsx'
import { openDialogs } from './open-dialogs.ts'

const shapes = {
  /** Stands in the middle, for a question. */
  box: 'm-auto w-[min(34rem,calc(100vw-2rem))] rounded-lg border border-line',
  /** Stands near the top, for content that grows and shrinks while typing. */
  top: 'mx-auto mt-[12dvh] mb-auto w-[min(34rem,calc(100vw-2rem))] rounded-lg border border-line',
  /** Slides in from the right, for content to read beside the page. */
  drawer:
    'my-0 mr-0 ml-auto h-dvh max-h-none w-[min(40rem,100vw)] scroll-pb-16 border-l border-line',
} as const

/** Describes a dialog: its title, its shape, and what closes it. */
export interface DialogProps {
  readonly title: string
  readonly description?: ReactNode
  readonly shape?: keyof typeof shapes
  /** Says whether the first field gets the focus. Default true, except in a drawer, which is read first. */
  readonly isForm?: boolean
  /** Says whether the content is shown only once. Only a button among the children closes it then: not Escape, no cross. */
  readonly isShownOnce?: boolean
  /** Called on Escape, on the cross, on Back, or on a press beside the dialog. The parent then removes it. */
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Describes the write that a dialog starts. */
export interface DialogWrite {
  readonly isPending: boolean
  readonly error: ApiProblem | null
}

/** Stands for the write of a dialog that starts none. */
export const noWrite: DialogWrite = { isPending: false, error: null }

/** Returns the first field, or else the button that is marked as the start, or else the first one. */
function findStart(dialog: HTMLElement | null): HTMLElement | null | undefined {
  const field = 'input:not([type=checkbox], [type=radio]), textarea, select'
  return (
    dialog?.querySelector<HTMLElement>(field) ??
    dialog?.querySelector<HTMLElement>('[data-start]') ??
    dialog?.querySelector<HTMLElement>('[data-actions] button')
  )
}

/** Renders a modal dialog of the platform: the page behind it is inert, and the focus returns to where it was. */
export function Dialog({
  title,
  description,
  shape = 'box',
  isForm = shape !== 'drawer',
  isShownOnce = false,
  onClose,
  children,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const descriptionId = useId()

  // In a layout effect: React removes the element right after it, and a dialog that is removed while open loses the focus.
  useLayoutEffect(() => {
    const element = dialog.current
    if (element === null) return
    element.showModal()
    openDialogs.add(element)
    return () => {
      openDialogs.remove(element)
      element.close()
    }
  }, [])
  // React applies `autoFocus` while the dialog is still closed, where it has no effect.
  useLayoutEffect(() => {
    if (isForm) findStart(dialog.current)?.focus()
  }, [isForm])
  useBackToClose(dialog, isShownOnce ? undefined : onClose)

  return (
    <dialog
      ref={dialog}
      data-shape={shape}
      aria-labelledby={titleId}
      aria-describedby={description === undefined ? undefined : descriptionId}
      closedby={isShownOnce ? 'none' : undefined}
      // Resets the styles of a table cell, for a dialog that is rendered inside a row.
      className={`p-0 text-left font-normal ${shapes[shape]}`}
      onCancel={(event) => {
        event.preventDefault()
        // A browser that does not know `closedby` still sends Escape here.
        if (!isShownOnce) onClose()
      }}
      onMouseDown={(event) => {
        if (isShownOnce || !isBeside(event)) return
        // Otherwise the browser moves the focus after the press, away from where closing puts it.
        event.preventDefault()
        onClose()
      }}
    >
      <div className="flex min-h-full flex-col gap-4 p-5 [&>form]:grow">
        <header className="flex items-start justify-between gap-4">
          <Heading {...{ title, titleId, description, descriptionId }} />
          {!isShownOnce && <IconButton label="Close" icon={X} onClick={onClose} />}
        </header>
        {children}
      </div>
    </dialog>
  )
}

/**
 * Keeps the page when the person goes back while the dialog is the topmost one, and calls `close` instead. Not where a link has led to
 * the dialog: back leads to that link.
 */
function useBackToClose(
  dialog: RefObject<HTMLDialogElement | null>,
  close: (() => void) | undefined,
): void {
  const [isOpenedHere] = useState(isPressedHere)
  useBlocker({
    enableBeforeUnload: false,
    shouldBlockFn({ action }) {
      if (action !== 'BACK' || !isOpenedHere || openDialogs.get() !== dialog.current) return false
      // Only once the router has gone forward again: closing may replace the address, which is that of the entry before.
      if (close !== undefined) window.addEventListener('popstate', close, { once: true })
      return true
    },
  })
}

interface HeadingProps extends Pick<DialogProps, 'title' | 'description'> {
  readonly titleId: string
  readonly descriptionId: string
}

function Heading({ title, titleId, description, descriptionId }: HeadingProps) {
  return (
    <div className="min-w-0 wrap-anywhere">
      <h2 id={titleId} className="text-lg font-semibold">
        {title}
      </h2>
      {description !== undefined && (
        <div id={descriptionId} className="text-muted">
          {description}
        </div>
      )}
    </div>
  )
}

/** Returns whether a press is beside the dialog. Its scroll bar belongs to the dialog. */
function isBeside({ target, currentTarget, clientX: x, clientY: y }: MouseEvent): boolean {
  if (target !== currentTarget) return false
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect()
  return x < left || x > right || y < top || y > bottom
}

/**
 * Shows the buttons at the end of a dialog, the one that continues last. In a drawer they stay at its lower edge, so
 * that a press does not miss them when the content above grows.
 */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return (
    <div
      data-actions=""
      className="flex flex-wrap justify-end gap-2 pt-1 in-data-[shape=drawer]:sticky in-data-[shape=drawer]:bottom-0 in-data-[shape=drawer]:-mx-5 in-data-[shape=drawer]:mt-auto in-data-[shape=drawer]:-mb-5 in-data-[shape=drawer]:border-t in-data-[shape=drawer]:border-line in-data-[shape=drawer]:bg-panel in-data-[shape=drawer]:px-5 in-data-[shape=drawer]:py-3"
    >
      {children}
    </div>
  )
}
