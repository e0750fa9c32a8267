import os

from crewai import Agent, Crew, Task
from crewai.mcp import MCPServerHTTP

agent = Agent(
    role="Support",
    goal="Refund what is asked for.",
    backstory="You answer customers of a shop.",
    mcps=[
        MCPServerHTTP(
            url=os.environ["GATEWAY"],
            headers={"Authorization": f"Bearer {os.environ['AGENT']}"},
            streamable=True,
        )
    ],
)
task = Task(description="Refund 5.00 of order 1042.", expected_output="What became of it.", agent=agent)
print(Crew(agents=[agent], tasks=[task]).kickoff())
