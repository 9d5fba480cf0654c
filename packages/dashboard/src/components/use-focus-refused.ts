import { useEffect, type RefObject } from 'react'

/**
 * Moves the focus to the first refused field once a form was refused, because it may be out of sight. A rejection that no
 * field shows is scrolled to. `rejection` is another one after each attempt.
 */
export function useFocusRefused(form: RefObject<HTMLFormElement | null>, rejection: unknown): void {
  useEffect(() => {
    if (rejection === undefined || rejection === null) return
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid]')
    if (field) field.focus()
    else form.current?.querySelector('[role=alert]')?.scrollIntoView({ block: 'center' })
  }, [form, rejection])
}
