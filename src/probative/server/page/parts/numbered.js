// Which answer of several a part belongs to, so that no two landmarks have one name: "" or " of answer 2".
import { createContext, useContext } from "../preact.js";

export const Numbered = createContext("");
export const useNumber = () => useContext(Numbered);
