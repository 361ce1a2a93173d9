// Preact with htm: `html` writes elements as tagged templates. Everything inserted into a template is text;
// nothing in this page uses innerHTML or dangerouslySetInnerHTML.
import { Fragment, createContext, h, render } from "./vendor/preact.js";
import htm from "./vendor/htm.js";

export const html = htm.bind(h);
export { Fragment, createContext, h, render };
export { useCallback, useContext, useEffect, useId, useLayoutEffect, useMemo, useReducer, useRef, useState } from "./vendor/hooks.js";
