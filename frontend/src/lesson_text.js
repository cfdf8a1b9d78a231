// On the page of a lesson: its text cells, once all of them are there.
import { explain, foldAfterwards } from "./page/lesson_terms.js";

const glossary = document.querySelector("#lmdk-glossary");
explain(document.querySelector("#rendered_cells"), document.querySelectorAll(".lmdk-text"), JSON.parse(glossary.textContent));
foldAfterwards(document.querySelectorAll(".lmdk-text > h2"));
