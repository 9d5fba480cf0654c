import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { App, type AppProps } from './app.ts'

export { version } from 'react'

/** The page as a server sends it. */
export const render = (props: AppProps): string => renderToString(createElement(App, props))
