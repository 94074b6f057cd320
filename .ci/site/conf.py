"""How Sphinx makes the site. bin/site starts it, with the root of the repository as its source.

The pages are plain Markdown, as a Git forge shows it, and know nothing of Sphinx. What a site needs
besides is added here: the navigation, and what becomes of links to files that are no pages.
"""

import os
import re
from pathlib import Path

from docutils import nodes
from sphinx import addnodes

ROOT = Path(__file__).resolve().parents[2]

# Where files of the repository are shown, such as https://host/owner/millrace/blob/main. Links to
# files that are no documents lead there; if it is not set, only the text of such a link is shown.
REPOSITORY = os.environ.get("MILLRACE_SITE_REPOSITORY", "").rstrip("/")

project = "Millrace"
author = "The Millrace authors"
version = release = re.search("<version>(.*?)</version>", (ROOT / "pom.xml").read_text()).group(1)

extensions = ["myst_parser"]
root_doc = "README"
source_suffix = {".md": "markdown"}
include_patterns = ["*.md", "docs/**.md"]
exclude_patterns = [".git", "**/target", "**/src"]

# GitHub's Markdown and its anchors, and nothing that is MyST's alone.
myst_heading_anchors = 6
myst_heading_slug_func = "github"
myst_heading_anchors_html_ids = True
myst_enable_extensions = ["alert", "gfm_autolink", "strikethrough", "tasklist"]
myst_disable_syntax = [
    "front_matter",
    "myst_block_break",
    "myst_line_comment",
    "myst_role",
    "myst_target",
]

# A snippet may leave something out, which the highlighter then cannot read.
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_title = f"{project} {version}"
html_copy_source = False
html_show_copyright = False
html_use_index = False
templates_path = ["templates"]
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "javadoc.html",
        "sidebar/scroll-end.html",
    ]
}


def setup(app):
    # Before Sphinx collects what a page holds, which it does with priority 500.
    app.connect("doctree-read", lead_elsewhere, priority=100)
    app.connect("doctree-read", add_navigation, priority=100)


def lead_elsewhere(app, doctree):
    """Links to directories and to files that are no pages.

    A directory with a README is that page. Data under docs comes along, as a file to download. All
    else is shown by the repository. What does not exist is left as it is, and fails the build.
    """
    for link in list(doctree.findall(is_link)):
        to_page = link.get("refdomain") == "doc"
        target = f"/{link['reftarget']}.md" if to_page else link["reftarget"].partition("#")[0]
        path = Path(app.env.relfn2path(target, app.env.docname)[1])
        if not target or not path.exists() or not path.is_relative_to(ROOT):
            continue
        shown = path.relative_to(ROOT).as_posix()
        readme = f"{shown}/README".removeprefix("./")
        if path.is_dir() and readme in app.env.found_docs:
            page = {"refdomain": "doc", "reftarget": readme, "reftargetid": None}
            link.attributes.update(page)
        elif to_page and link["reftarget"] in app.env.found_docs:
            continue
        elif path.is_file() and shown.startswith("docs/"):
            continue
        elif REPOSITORY:
            url = f"{REPOSITORY}/{shown}"
            link.replace_self(nodes.reference("", "", *link.children, refuri=url))
        else:
            link.replace_self(link.children)


def is_link(node):
    kinds = (addnodes.download_reference, addnodes.pending_xref)
    return isinstance(node, kinds) and node.get("reftype") == "myst"


def add_navigation(app, doctree):
    """Lists at the end of a page, for the navigation alone, the pages that belong to it.

    To DIR/README.md and to DIR.md belong the pages of DIR, in the order in which that page links to
    them, and then those to which it does not. To the first page belong all others, in the order of
    the index of the documents, whose headings become those of the navigation.
    """
    page = app.env.docname
    is_first = page == root_doc
    left = sorted(each for each in app.env.found_docs if owner(app, each) == page)
    for heading, linked in sections(app, page):
        listed = [each for each in dict.fromkeys(linked) if each in left]
        left = [each for each in left if each not in listed]
        add_list(app, doctree, heading if is_first else None, listed)
    add_list(app, doctree, "More" if is_first else None, left)
    if is_first:
        javadoc = nodes.reference("", "Javadoc", refuri="javadoc/index.html")
        text = [nodes.Text("Reference of the API: "), javadoc, nodes.Text(".")]
        doctree[0].append(nodes.paragraph("", "", *text))


def owner(app, page):
    """The page in whose list a page stands."""
    if page == root_doc:
        return None
    directory = Path(page).parent
    if Path(page).name == "README":
        directory = directory.parent
    for each in [directory, *directory.parents]:
        for name in [f"{each}/README", f"{each}"]:
            if str(each) not in [".", "docs"] and name != page and name in app.env.found_docs:
                return name
    return root_doc


def sections(app, page):
    """The headings of a page, each with the pages to which links below it lead."""
    index, found = page, []
    if page == root_doc and f"docs/{page}" in app.env.found_docs:
        index = f"docs/{page}"
        found.append((None, [index]))
    text = Path(app.env.doc2path(index)).read_text(encoding="utf-8")
    for part in re.split(r"^## ", text, flags=re.MULTILINE):
        links = re.findall(r"\]\(([^)#:]+)", part)
        paths = [os.path.normpath(Path(index).parent / link) for link in links]
        names = [each for path in paths for each in (path.removesuffix(".md"), f"{path}/README")]
        found.append((part.partition("\n")[0], names))
    return found


def add_list(app, doctree, heading, pages):
    if pages:
        entries = [(None, page) for page in pages]
        tree = addnodes.toctree(
            parent=app.env.docname,
            entries=entries,
            includefiles=pages,
            caption=heading,
            rawcaption=heading or "",
            maxdepth=-1,
            glob=False,
            hidden=True,
            includehidden=False,
            numbered=0,
            titlesonly=True,
        )
        doctree[0].append(nodes.compound("", tree, classes=["toctree-wrapper"]))
